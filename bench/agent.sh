#!/bin/sh
# The agent of every bench: says that it was started by making a file, takes its prompt, answers.
: > "$BENCH_STARTED/$BLOG_REQUEST_ID"
cat > /dev/null
echo done
