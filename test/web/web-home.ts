/** A home written by hand, and the real `blog-bridge web` over it. */
import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { HomeOnDisk } from '../cli/home-on-disk.ts';
import { Running } from '../harness/bridge.ts';

export interface Page {
  web: Running;
  /** `http://127.0.0.1:<port>/<token>/` */
  url: string;
  get: (path: string, options?: GetOptions) => Promise<Answer>;
}

export interface GetOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Instead of `/<token>/<path>`. */
  rawPath?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
}

export function webHome(language?: 'en' | 'ko'): HomeOnDisk {
  const config = { telegram: { chatId: 7001, userIds: [7001] }, agent: { kind: 'sample' } };
  return new HomeOnDisk(language === undefined ? config : { ...config, language });
}

export async function openPage(home: string, ...args: string[]): Promise<Page> {
  const web = new Running(['web', '--port', '0', ...args, '--home', home], { ...process.env, TZ: 'UTC' });
  onTestFinished(async () => {
    await web.end();
  });
  return pageOf(web);
}

/** Once it has told its address. */
export async function pageOf(web: Running): Promise<Page> {
  const printed = await web.printed(/http:\/\/\S+\//u, 30_000);
  const url = /http:\/\/\S+\//u.exec(printed)?.[0] ?? '';
  return { web, url, get: (path, options) => get(new URL(path, url), options) };
}

/** As it is given: `fetch` would mend the address and forbid a `Host` of one's own. */
function get(url: URL, { method = 'GET', headers = {}, rawPath }: GetOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const path = rawPath ?? `${url.pathname}${url.search}`;
    request({ host: '127.0.0.1', port: url.port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString('utf8') });
      });
    })
      .once('error', reject)
      .end();
  });
}
