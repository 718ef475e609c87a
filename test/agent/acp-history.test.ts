import { describe, expect, test } from 'vitest';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { HistoryReader } from '../../src/agent/acp-history.ts';
import type { RecoveryOutcome } from '../../src/core/ports.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const person = (words: string): SessionUpdate => ({ sessionUpdate: 'user_message_chunk', content: text(words) });
const thought: SessionUpdate = { sessionUpdate: 'agent_thought_chunk', content: text('hm') };
const tool: SessionUpdate = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look' };
const toolOver: SessionUpdate = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' };
const toolMore: SessionUpdate = { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Looked' };
const toolWhole: SessionUpdate = { sessionUpdate: 'tool_call', toolCallId: 'w', title: 'Look', status: 'failed' };
const usage: SessionUpdate = { sessionUpdate: 'usage_update', used: 1, size: 2 };

function agent(words: string, messageId?: string): SessionUpdate {
  const named = messageId === undefined ? {} : { messageId };
  return { sessionUpdate: 'agent_message_chunk', content: text(words), ...named };
}

const MARKER = '[blog-bridge request 41 run 1]';
const OURS = person(`${MARKER}\n\nwrite`);
const NEXT = person('[blog-bridge request 43 run 1]\n\nshorter');
const UNFINISHED: RecoveryOutcome = { kind: 'unfinished' };
const answer = (markdown: string): RecoveryOutcome => ({ kind: 'answer', markdown });

describe('a replayed history', () => {
  test.for<[string, SessionUpdate[], RecoveryOutcome]>([
    ['a text', [OURS, agent('The '), agent('post.')], answer('The post.')],
    ['a text after a tool call', [OURS, agent('I look.'), tool, toolOver, agent('Post')], answer('Post')],
    [
      'a text after a tool call that was told of once more',
      [OURS, tool, toolOver, toolMore, agent('Post')],
      answer('Post'),
    ],
    ['a text after a tool call told as a whole', [OURS, toolWhole, agent('Post')], answer('Post')],
    ['a text and then a tool call', [OURS, agent('I look.'), tool, toolOver], UNFINISHED],
    ['a text with an open tool call before it', [OURS, tool, agent('Post')], UNFINISHED],
    ['an error for a text', [OURS, agent('API Error: Connection error.')], UNFINISHED],
    ['white space for a text', [OURS, agent(' \n')], UNFINISHED],
    ['thoughts alone', [OURS, thought], UNFINISHED],
    ['nothing', [OURS], UNFINISHED],
    ['a text and then an interruption', [OURS, agent('I begin.'), person('[interrupted]')], UNFINISHED],
    [
      'a text after what the agent put in',
      [OURS, agent('I begin.'), person('[summary]'), agent('Post')],
      answer('Post'),
    ],
    ['two messages', [OURS, agent('a', '1'), agent('b', '1'), agent('c', '2')], answer('ab\n\nc')],
    ['a text before the next request', [OURS, agent('Post'), NEXT, agent('Shorter')], answer('Post')],
    ['nothing before the next request', [OURS, NEXT, agent('Shorter')], UNFINISHED],
    ['a text after another request', [NEXT, agent('Shorter'), OURS, agent('Post')], answer('Post')],
    ['what is no message', [OURS, usage, agent('Post'), usage], answer('Post')],
    [
      'a request in pieces',
      [person('[blog-bridge request 41 '), person('run 1] write'), agent('Post')],
      answer('Post'),
    ],
    ['a request that is told twice', [OURS, agent('Old'), OURS, agent('Post')], answer('Post')],
    [
      'another run of the request',
      [person('[blog-bridge request 41 run 11] x'), agent('a')],
      { kind: 'unknown-request' },
    ],
    [
      'a request that another one quotes',
      [person(`[blog-bridge request 43 run 1] ${MARKER}`), agent('a')],
      { kind: 'unknown-request' },
    ],
    [
      'a next request that quotes it',
      [OURS, person(`[blog-bridge request 43 run 1] ${MARKER}`), agent('a')],
      UNFINISHED,
    ],
    [
      'a request that runs into the next one',
      [person(`so: ${MARKER} x`), person('so: [blog-bridge request 43 run 1] y'), agent('a')],
      UNFINISHED,
    ],
    ['nothing at all', [], { kind: 'unknown-request' }],
  ])('that shows %s', ([, updates, expected]) => {
    const history = new HistoryReader(MARKER);
    for (const update of updates) history.take(update);
    expect(history.result()).toEqual(expected);
  });
});
