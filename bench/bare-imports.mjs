/** A Node process that has imported the packages named on its command line, and does nothing. */
for (const name of process.argv.slice(2)) await import(name);
process.stderr.write('imported\n');
setInterval(() => undefined, 1_000_000);
