/* oxlint-disable no-control-regex -- control characters are what this file is about */

// ECMA-48 §5.4 and §8.3.89: control sequences; strings with their terminator; every other escape.
const CONTROL_SEQUENCE = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/gu;
// Without its terminator a string is not taken out: the words after it would go with it.
const CONTROL_STRING =
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)/gu;
const OTHER_ESCAPE = /\u001B[ -/]*[0-~]/gu;
const LINE_BREAK = /\r\n?|[\v\f\u0085]/gu;
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u;

/**
 * What a program printed, as text that Telegram takes: no terminal escape sequences, no control characters but newline
 * and tab, no lone surrogates. Cleaning twice changes nothing.
 */
export function cleanText(raw: string): string {
  const printed = raw.replaceAll(CONTROL_SEQUENCE, '').replaceAll(CONTROL_STRING, '').replaceAll(OTHER_ESCAPE, '');
  return withoutControls(printed.replaceAll(LINE_BREAK, '\n'));
}

/** Also for what only parsing brings to light, such as `&#27;`. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROL, '').replaceAll(LONE_SURROGATE, '\uFFFD');
}

/** Nothing that one could see: white space, zero-width characters, lone variation selectors, fillers. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
