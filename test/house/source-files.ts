/** The source as text, for the tests that guard how it is laid out. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

export interface SourceFile {
  /** Relative to `src/`, with forward slashes. */
  path: string;
  /** Without comments. */
  code: string;
}

export function sourceFiles(): SourceFile[] {
  const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((path) => ({ path, code: withoutComments(readFileSync(`${SRC}${path}`, 'utf8')) }));
}

export function sourceMap(): string {
  return readFileSync(`${SRC}README.md`, 'utf8');
}

/** Also what stands in texts that look like comments; good enough for what is asked here. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gsu, '').replaceAll(/(^|\s)\/\/.*$/gmu, '$1');
}

/** What a file names in `from '…'`, `import '…'` and `import('…')`. */
export function importsOf({ code }: SourceFile): string[] {
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/gu)].map((match) => match[1] ?? '');
}
