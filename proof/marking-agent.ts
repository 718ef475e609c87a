/** The agent of the proofs: notes each run before it does anything, and marks what it answers for `history-checker.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `/bin/sh`, so that it is quick. What the request's text begins with decides: `long` (two texts and a picture), `fail`
 * (fails, but not when it is run again), `picture`, `album` and `document` (a text, and files), `slow` (takes 3 s), anything else one short answer.
 * Needs `picture.png` beside it.
 */
export const MARKING_AGENT = `#!/bin/sh
read -r order
echo "$BLOG_REQUEST_ID" >> runs.log
run=0
while read -r id; do [ "$id" = "$BLOG_REQUEST_ID" ] && run=$((run+1)); done < runs.log
mark="$BLOG_REQUEST_ID-run$run-part"
case "$order" in
  long*)
    line="a line of an answer that is long enough to need more than one message, since Telegram takes no more than so much."
    text="$line $line $line $line $line $line"
    printf '%s1\\n\\n%s %s %s %s %s %s %s\\n\\n' "$mark" "$text" "$text" "$text" "$text" "$text" "$text" "$text"
    printf '%s2\\n' "$mark"
    cp picture.png "$BLOG_OUT_DIR/\${mark}3.png" ;;
  fail*)
    if [ $run = 1 ]; then echo "no luck" >&2; exit 3; fi
    echo "\${mark}1 done" ;;
  slow*) sleep 3; echo "\${mark}1 done" ;;
  picture*) echo "\${mark}1 done"; cp picture.png "$BLOG_OUT_DIR/\${mark}2.png" ;;
  album*) echo "\${mark}1 done"; cp picture.png "$BLOG_OUT_DIR/\${mark}2.png"; cp picture.png "$BLOG_OUT_DIR/\${mark}3.png" ;;
  document*) echo "\${mark}1 done"; cp picture.png "$BLOG_OUT_DIR/\${mark}2.txt" ;;
  *) echo "\${mark}1 done" ;;
esac
`;

/** The runs that it noted, by request id, in order. */
export function runsIn(folder: string): string[] {
  const path = join(folder, 'runs.log');
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}
