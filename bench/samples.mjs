/** Numbers of a bench: medians, and lines of its table. */

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * @param {number[]} values
 * @param {number} percent
 */
export function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/**
 * @typedef {{ figure: string, bridge: number, bare: number | null, unit: string, ratio: number | null, aim: string, met: boolean | null }} Line
 * @param {Line[]} lines
 */
export function printTable(lines) {
  const rows = lines.map(({ figure, bridge, bare, unit, ratio, aim, met }) => [
    figure,
    `${rounded(bridge)} ${unit}`.trim(),
    bare === null ? '' : `${rounded(bare)} ${unit}`,
    ratio === null ? '' : String(rounded(ratio)),
    aim,
    met === null ? '' : met ? 'met' : 'MISSED',
  ]);
  const all = [['figure', 'bridge', 'bare', 'ratio', 'aim', ''], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

/**
 * @param {number} least
 * @param {number} ratio
 */
export function atLeast(least, ratio) {
  return { aim: `≥ ${least}`, ratio, met: ratio >= least };
}

/**
 * @param {number} most
 * @param {number} ratio
 */
export function atMost(most, ratio) {
  return { aim: `≤ ${most}`, ratio, met: ratio <= most };
}

/**
 * A figure that only informs.
 * @param {number | null} ratio
 */
export function plain(ratio = null) {
  return { aim: '', ratio, met: null };
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100;
}
