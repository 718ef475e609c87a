/** For the stand-in of launchd: starts the program of `<job>.plist` and writes its pid to `<job>`. */
import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';

const job = process.argv[2];
const plist = readFileSync(`${job}.plist`, 'utf8');
const plain = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const text = (key) => plain(new RegExp(`<key>${key}</key>\\s*<string>([^<]*)</string>`, 'u').exec(plist)[1]);
const [, list] = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/su.exec(plist);
const [program, ...args] = [...list.matchAll(/<string>([^<]*)<\/string>/gu)].map(([, one]) => plain(one));
const log = openSync(text('StandardErrorPath'), 'a');
const env = { HOME: process.env.HOME, PATH: text('PATH') };
const options = { cwd: text('WorkingDirectory'), env, detached: true, stdio: ['ignore', log, log] };
const child = spawn(program, args, options);
child.unref();
writeFileSync(job, String(child.pid));
