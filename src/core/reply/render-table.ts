import type { Table, TableCell } from 'mdast';
import { displayWidth } from './display-width.ts';
import type { LocalImage } from './formatted-text.ts';
import { type Place, renderInlines } from './render-inlines.ts';
import { TextBuilder } from './text-builder.ts';

/** A longer cell sticks out, so that one long cell does not pad every row of its column. */
const WIDEST_COLUMN = 40;

type Alignment = 'left' | 'right' | 'center' | null;

interface Cell {
  text: string;
  width: number;
  images: LocalImage[];
}

interface Column {
  width: number;
  alignment: Alignment;
}

/** Telegram has no tables: aligned text in a fixed-width font. */
export function renderTable(table: Table, place: Place): void {
  const { out } = place;
  const rows = table.children.map((row) => row.children.map((cell) => renderCell(cell, place)));
  const columns = columnsOf(rows, table.align ?? []);
  const start = out.length;
  for (const [index, row] of rows.entries()) {
    if (index > 0) out.write('\n');
    writeRow(row, columns, place);
    if (index === 0) out.write(`\n|${columns.map(({ width }) => '-'.repeat(width + 2)).join('|')}|`);
  }
  out.mark('pre', start);
}

function renderCell(cell: TableCell, place: Place): Cell {
  const images: LocalImage[] = [];
  const out = new TextBuilder();
  renderInlines(cell.children, { ...place, out, images, indent: '', bare: true });
  const text = out.since(0).replaceAll(/[\n\t]/gu, ' ');
  return { text, width: displayWidth(text), images };
}

function columnsOf(rows: readonly Cell[][], alignments: readonly Alignment[]): Column[] {
  const columns: Column[] = [];
  for (const row of rows) {
    for (const [index, { width }] of row.entries()) {
      const column = (columns[index] ??= { width: 1, alignment: alignments[index] ?? null });
      column.width = Math.min(Math.max(column.width, width), WIDEST_COLUMN);
    }
  }
  return columns;
}

function writeRow(row: readonly Cell[], columns: readonly Column[], { out, images }: Place): void {
  for (const [index, cell] of row.entries()) {
    const { width, alignment } = columns[index] ?? { width: cell.width, alignment: null };
    const spare = Math.max(0, width - cell.width);
    const before = alignment === 'right' ? spare : alignment === 'center' ? spare >> 1 : 0;
    out.write(`| ${' '.repeat(before)}`);
    images.push(...cell.images.map((image) => ({ ...image, offset: image.offset + out.length })));
    out.write(`${cell.text}${' '.repeat(spare - before)} `);
  }
  out.write('|');
}
