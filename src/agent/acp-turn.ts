/** What one turn of an agent came to, gathered from its updates: its steps, what it does now, its text. Pure. */
import type {
  ContentBlock,
  PlanEntry,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { RunStep } from '../core/ports.ts';
import { cleanText } from '../core/reply/clean-text.ts';

/** A receipt is read by a person; the raw lines hold the rest. */
const MAX_STEPS = 300;
const MAX_TITLE = 200;

const OVER = new Set(['completed', 'failed', 'allowed', 'denied', 'cancelled']);

interface TextSink {
  add(piece: string): void;
  breakHere(): void;
}

interface Tool {
  step: RunStep;
  about: string | null;
}

export class TurnRecord {
  readonly #text: TextSink;
  readonly #steps: RunStep[] = [];
  readonly #tools = new Map<string, Tool>();
  readonly #plan = new Map<string, RunStep>();
  #messageId: string | null = null;

  constructor(text: TextSink) {
    this.#text = text;
  }

  take(update: SessionUpdate, at: string): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.messageId !== undefined && update.messageId !== this.#messageId) {
          if (this.#messageId !== null) this.#text.breakHere();
          this.#messageId = update.messageId;
        }
        return this.#text.add(wordsOf(update.content));
      case 'tool_call':
        this.#text.breakHere();
        this.#takeTool(update, at);
        return;
      case 'tool_call_update':
        this.#takeTool(update, at);
        return;
      case 'plan':
        return this.#takePlan(update.entries, at);
      default:
        return;
    }
  }

  /** @returns the question in words, and what to call with what became of it */
  ask(request: RequestPermissionRequest, at: string): { title: string; about: string | null; step: RunStep } {
    const { step: tool, about } = this.#takeTool(request.toolCall, at);
    const step: RunStep = { at, endedAt: null, kind: 'permission', title: tool.title, status: 'waiting' };
    this.#push(step);
    return { title: tool.title, about, step };
  }

  activity(): string | null {
    const planned = [...this.#plan.values()].find(({ status }) => status === 'in_progress')?.title;
    const tool = [...this.#tools.values()].findLast(({ step }) => !OVER.has(step.status))?.step.title;
    const words = [planned, tool].filter((title) => title !== undefined).join(': ');
    return words === '' ? null : words;
  }

  /** Copies: what happens later does not change them. */
  steps(): RunStep[] {
    return this.#steps.map((step) => ({ ...step }));
  }

  #takeTool(call: ToolCallUpdate, at: string): Tool {
    let tool = this.#tools.get(call.toolCallId);
    if (tool === undefined) {
      tool = { step: { at, endedAt: null, kind: 'other', title: call.toolCallId, status: 'pending' }, about: null };
      this.#tools.set(call.toolCallId, tool);
      this.#push(tool.step);
    }
    const { step } = tool;
    step.kind = call.kind ?? step.kind;
    step.title = titleOf(call.title ?? step.title);
    tool.about = aboutOf(call) ?? tool.about;
    settle(step, call.status ?? step.status, at);
    return tool;
  }

  /** Every update brings the whole plan: entries are told apart by their words. */
  #takePlan(entries: readonly PlanEntry[], at: string): void {
    for (const { content, status } of entries) {
      let step = this.#plan.get(content);
      if (step === undefined) {
        step = { at, endedAt: null, kind: 'plan', title: titleOf(content), status };
        this.#plan.set(content, step);
        this.#push(step);
      }
      settle(step, status, at);
    }
  }

  #push(step: RunStep): void {
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step);
  }
}

export function settle(step: RunStep, status: string, at: string): void {
  step.status = status;
  step.endedAt = OVER.has(status) ? (step.endedAt ?? at) : null;
}

/** Text of a block of the agent's message. Media have no place in Markdown: files go back by the out folder. */
export function wordsOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.title ?? block.name}](${block.uri})`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : '';
    default:
      return '';
  }
}

function titleOf(title: string): string {
  return cleanText(title).replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_TITLE);
}

/** The command or path that a tool call is about: agents name them differently. */
function aboutOf(call: ToolCallUpdate): string | null {
  const input = typeof call.rawInput === 'object' && call.rawInput !== null ? call.rawInput : {};
  const named = ['command', 'cmd', 'file_path', 'path', 'abs_path', 'url'].map((key): unknown =>
    Reflect.get(input, key),
  );
  const changed = call.content?.map((content) => (content.type === 'diff' ? content.path : undefined)) ?? [];
  for (const value of [...named, call.locations?.[0]?.path, ...changed]) {
    const words = Array.isArray(value) ? value.join(' ') : value;
    if (typeof words === 'string' && words.trim() !== '') return cleanText(words).trim();
  }
  return null;
}
