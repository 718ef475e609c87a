/** The sample agent: a program like any other, for the demo and for trying a set-up. Reads a prompt, prints Markdown. */
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** With this word in the prompt there is time to look at a running request, to cancel it, or to kill the consumer. */
const SLOW_WORD = /\bslowly\b/iu;
const SLOW_MS = 15_000;

/** A quotation comes first: a heading, and lines that each begin with `>`. */
const QUOTATION = /^[^\n]+:\n\n(?:>.*(?:\n|$))+/u;

/** The list of attachments comes last. */
const FILES = /(?:^|\n\n)Files that came with this message,[^\n]*:(?:\n- [^\n]*)+$/u;

const words = (await text(process.stdin)).replace(QUOTATION, '').trim().replace(FILES, '');
const subject = words.split(/\s+/u).slice(0, 12).join(' ') || 'your pictures';

if (SLOW_WORD.test(words)) await pause(SLOW_MS);
process.stdout.write(`# ${subject}

This is the **sample agent**: it writes nothing of its own, it only shows that the line works from end to end.

- request \`${process.env['BLOG_REQUEST_ID']}\` of conversation \`${process.env['BLOG_CONVERSATION']}\`
- turn ${process.env['BLOG_TURN']} of session \`${process.env['BLOG_SESSION_ID']?.slice(0, 8)}\`

Reply to this message to go on.
`);
