import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { promptBlocks } from '../../src/agent/acp-prompt.ts';
import type { RunAttachment } from '../../src/core/ports.ts';
import { Stage } from './acp-script.ts';

function file(stage: Stage, name: string, mime: string | null, bytes = 3): RunAttachment {
  writeFileSync(stage.path(name), Buffer.alloc(bytes, 'x'));
  return { path: stage.path(name), mime, name };
}

test('a picture is shown to an agent that sees pictures, and linked for one that does not', () => {
  const stage = new Stage();
  const attachments = [file(stage, 'a b.png', 'image/png')];
  const spec = stage.spec({ attachments });
  const uri = `file://${stage.path('a%20b.png')}`;
  const text = `[blog-bridge request 41 run 1]\n\nwrite about spools\n\nAttached files:\n- ${stage.path('a b.png')}`;
  expect(promptBlocks(spec, 'new', { image: true })).toEqual([
    { type: 'text', text },
    { type: 'image', mimeType: 'image/png', data: 'eHh4', uri },
  ]);
  expect(promptBlocks(spec, 'new', undefined)).toEqual([
    { type: 'text', text },
    { type: 'resource_link', uri, name: 'a b.png', mimeType: 'image/png', size: 3 },
  ]);
});

test.for<[string, string, string | null, number]>([
  ['too large a picture', 'a.png', 'image/png', 3_750_001],
  ['a picture of another kind', 'a.heic', 'image/heic', 3],
  ['a document', 'a.pdf', 'application/pdf', 3],
  ['a file of no kind', 'a', null, 3],
])('%s is linked', ([, name, mime, bytes]) => {
  const stage = new Stage();
  const [, block] = promptBlocks(stage.spec({ attachments: [file(stage, name, mime, bytes)] }), 'new', { image: true });
  expect(block).toMatchObject({ type: 'resource_link', name, size: bytes });
});

test('a file that is gone is linked all the same', () => {
  const stage = new Stage();
  const attachments = [{ path: stage.path('gone.png'), mime: 'image/png', name: null }];
  const [, block] = promptBlocks(stage.spec({ attachments }), 'new', { image: true });
  expect(block).toMatchObject({ type: 'resource_link', name: 'gone.png' });
});

test('of a long conversation the latest is told, in its order', () => {
  const stage = new Stage();
  const history = Array.from({ length: 100 }, (_, index) => ({
    prompt: `question ${index}`,
    answer: 'x'.repeat(2_000),
  }));
  const [block] = promptBlocks(stage.spec({ history }), 'retold', undefined);
  if (block?.type !== 'text') throw new Error('no text');
  const told = [...block.text.matchAll(/question (\d+)/gu)].map(([, number]) => Number(number));
  expect(told.at(-1)).toBe(99);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.length).toBeGreaterThan(20);
  expect(block.text.length).toBeLessThan(70_000);
});
