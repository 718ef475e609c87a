/**
 * Owns: the content blocks of a prompt: the person's words, what went before, pictures and files.
 * Guarantees: the marker opens the first block; a picture is shown only to an agent that sees pictures.
 * Fails: never; a file that cannot be read is only linked.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk';
import type { Exchange, RunAttachment, RunSpec, SessionOrigin } from '../core/ports.ts';
import { markerOf } from './acp-settings.ts';

/** Models take no larger one (5 MB in base64), and no other kinds. */
const MAX_IMAGE_BYTES = 3_750_000;
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_IMAGES = 20;
/** Of the conversation so far, the latest. */
const MAX_RETOLD = 64 * 1024;

export function promptBlocks(
  spec: RunSpec,
  origin: SessionOrigin,
  capabilities: PromptCapabilities | undefined,
): ContentBlock[] {
  const attachments = spec.attachments ?? [];
  const retold = origin === 'retold' ? retell(spec.history ?? []) : '';
  const text = `${markerOf(spec)}\n\n${retold}${spec.prompt}${listOf(attachments)}`;
  let shown = 0;
  const files = attachments.map((attachment): ContentBlock => {
    const image = capabilities?.image === true && shown < MAX_IMAGES ? imageOf(attachment) : null;
    if (image !== null) shown += 1;
    return image ?? linkTo(attachment);
  });
  return [{ type: 'text', text }, ...files];
}

/** Said in the text too: an agent that sees a picture has no path to put it into a post by. */
function listOf(attachments: readonly RunAttachment[]): string {
  if (attachments.length === 0) return '';
  return `\n\nAttached files:\n${attachments.map(({ path }) => `- ${path}`).join('\n')}`;
}

function retell(history: readonly Exchange[]): string {
  const told: string[] = [];
  let room = MAX_RETOLD;
  for (const { prompt, answer } of history.toReversed()) {
    const exchange = `The person wrote:\n${quote(prompt)}\n\nYou answered:\n${quote(answer)}\n\n`;
    room -= exchange.length;
    if (room < 0 && told.length > 0) break;
    told.unshift(exchange.slice(0, MAX_RETOLD));
  }
  if (told.length === 0) return '';
  return `This goes on with a conversation that this session does not know. So far, quoted line by line:\n\n${told.join('')}The person now writes:\n\n`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function imageOf({ path, mime }: RunAttachment): ContentBlock | null {
  if (mime === null || !IMAGE_TYPES.has(mime)) return null;
  try {
    if (statSync(path).size > MAX_IMAGE_BYTES) return null;
    return {
      type: 'image',
      mimeType: mime,
      data: readFileSync(path).toString('base64'),
      uri: pathToFileURL(path).href,
    };
  } catch {
    return null;
  }
}

function linkTo({ path, mime, name }: RunAttachment): ContentBlock {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return {
    type: 'resource_link',
    uri: pathToFileURL(path).href,
    name: name ?? basename(path),
    ...(mime === null ? {} : { mimeType: mime }),
    ...(size === undefined ? {} : { size }),
  };
}
