/**
 * How `init` speaks with whoever runs it: a person at a terminal, or a script, which must have given every answer as an
 * option. A question names the option that answers it; a proposal is what Enter, or `--yes`, takes.
 */
import { confirm, intro, isCancel, log, password, select, text, updateSettings } from '@clack/prompts';
import { BridgeError } from '../core/failure.ts';
import type { InitWords, Trouble } from '../core/init-words.ts';
import { displayWidth } from '../core/reply/display-width.ts';
import { writeLine } from '../platform/stderr.ts';

interface Question {
  message: string;
  /** As the words of an error name it, such as `--chat-id`. */
  option: string;
}

export interface TextQuestion extends Question {
  /** Taken where nothing is typed. */
  proposal?: string;
  /** What is wrong with the answer; undefined where nothing is. */
  check: (answer: string) => string | undefined;
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  hint?: string;
  disabled?: boolean;
}

export interface Dialog {
  readonly isInteractive: boolean;
  say(block: string): void;
  warn(block: string): void;
  secret(question: TextQuestion): Promise<string>;
  text(question: TextQuestion): Promise<string>;
  choose<T extends string>(question: Question & { choices: Choice<T>[]; proposal?: T; isSafe?: boolean }): Promise<T>;
  /** @param question `isSafe`: `--yes` may take the proposal */
  confirm(question: Question & { proposal: boolean; isSafe: boolean }): Promise<boolean>;
}

export function fault(code: ConstructorParameters<typeof BridgeError>[0], [words, hint]: Trouble): BridgeError {
  return new BridgeError(code, words, { hint });
}

/**
 * @param title null where the dialog only goes on in another language
 * @param isYes proposals are taken without asking
 */
export function openTerminalDialog(words: InitWords, title: string | null, isYes: boolean): Dialog {
  // Ctrl-D means the same as Ctrl-C: there will be no answer.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  if (title !== null) intro(title);
  log.message(folded(words.keys));
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw fault('cancelled', words.cancelled);
    return answer as Exclude<T, symbol>;
  };
  return {
    isInteractive: true,
    say: (block) => log.message(folded(block)),
    warn: (block) => log.warn(folded(block)),
    secret: async ({ message, check }) =>
      answered(await password({ message: folded(message), validate: (answer) => check(answer?.trim() ?? '') })).trim(),
    text: async ({ message, proposal, check }) => {
      if (isYes && proposal !== undefined) return proposal;
      const given = (answer: string | undefined): string => answer?.trim() || (proposal ?? '');
      const shown = proposal === undefined ? {} : { placeholder: proposal, defaultValue: proposal };
      return given(
        answered(await text({ message: folded(message), ...shown, validate: (answer) => check(given(answer)) })),
      );
    },
    choose: async ({ message, choices, proposal, isSafe = true }) => {
      if (isYes && isSafe && proposal !== undefined) return proposal;
      const initial = proposal === undefined ? {} : { initialValue: proposal };
      const options = choices as Parameters<typeof select<(typeof choices)[number]['value']>>[0]['options'];
      return answered(await select({ message: folded(message), options, ...initial, showInstructions: false }));
    },
    confirm: async ({ message, proposal, isSafe }) =>
      isYes && isSafe
        ? proposal
        : answered(
            await confirm({ message: folded(message), active: words.yes, inactive: words.no, initialValue: proposal }),
          ),
  };
}

/** Between words, since the library wraps without the bar that it draws at the left. */
function folded(block: string): string {
  const widest = Math.max(20, (process.stdout.columns || 80) - GUIDE_WIDTH);
  const lines: string[] = [];
  for (const paragraph of block.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/(?<=\S)\s+/u)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || displayWidth(longer) <= widest) line = longer;
      else {
        lines.push(line);
        line = word;
      }
    }
    lines.push(line);
  }
  return lines.join('\n');
}

const GUIDE_WIDTH = 4;

/** @throws BridgeError `usage` at each question whose answer was not given */
export function openScriptDialog(words: InitWords, isYes: boolean): Dialog {
  const given = async <T>(option: string, proposal: T | undefined): Promise<T> => {
    if (isYes && proposal !== undefined) return proposal;
    throw fault('usage', words.missingAnswer(option));
  };
  return {
    isInteractive: false,
    say: (block) => void process.stdout.write(`${block}\n`),
    warn: (block) => writeLine(`${block}\n`),
    secret: ({ option }) => given<string>(option, undefined),
    text: ({ option, proposal }) => given(option, proposal),
    choose: ({ option, proposal, isSafe = true }) => given(option, isSafe ? proposal : undefined),
    confirm: ({ option, proposal, isSafe }) => given(option, isSafe ? proposal : undefined),
  };
}
