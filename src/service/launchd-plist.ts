/** The property list of a launchd agent: a template of `launchd/` with its marks filled in. */
import { readFileSync } from 'node:fs';
import { ownFile } from '../platform/own-files.ts';
import { type Part, type ServicePlan, assertWritable } from './service-plan.ts';

export function launchdPlist(plan: ServicePlan, part: Part, label: string): string {
  assertWritable(plan);
  const values: Readonly<Record<string, string>> = {
    '@LABEL@': label,
    '@NODE@': plan.node,
    '@MAIN@': plan.main,
    '@HOME@': plan.home,
    '@PATH@': plan.path,
  };
  // In one pass: a path may itself look like a mark.
  return templateOf(part).replaceAll(/@[A-Z]+@/gu, (mark) => escaped(values[mark] ?? mark));
}

/** PATH and program of a list that was written here. */
export function readPlist(text: string): { path: string; node: string } | null {
  const path = /<key>PATH<\/key>\s*<string>([^<]*)<\/string>/u.exec(text)?.[1];
  const node = /<key>ProgramArguments<\/key>\s*<array>\s*<string>([^<]*)<\/string>/u.exec(text)?.[1];
  return path === undefined || node === undefined ? null : { path: plain(path), node: plain(node) };
}

function templateOf(part: Part): string {
  return readFileSync(ownFile(`launchd/blog-bridge.${part}.plist`), 'utf8');
}

const ENTITIES: readonly [string, string][] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
];

function escaped(text: string): string {
  return ENTITIES.reduce((words, [character, entity]) => words.replaceAll(character, entity), text);
}

function plain(text: string): string {
  return ENTITIES.toReversed().reduce((words, [character, entity]) => words.replaceAll(entity, character), text);
}
