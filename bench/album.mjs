/**
 * An album of ten 5 MB photos, from the last update to the agent's start, with real processes; against the bare download of
 * the same bytes from the same server into files. The quiet time of an album is set to 0: it is waited for by design.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { openBridge } from './home.mjs';
import { median } from './samples.mjs';

const PHOTOS = 10;
const BYTES = 5_000_000;
const ROUNDS = 5;

/** @returns {Promise<{ bridgeMs: number, bareMs: number, ratio: number, all: { bridge: number, bare: number }[] }>} */
export async function measureAlbum() {
  const bridge = await openBridge({ kind: 'command', command: ['/bin/echo', 'done'] }, { gatherSeconds: 0 });
  const { telegram, folders } = bridge;
  const photos = Array.from({ length: PHOTOS }, () => telegram.addFile(randomBytes(BYTES), { name: 'photo.jpg' }));
  const all = [];
  try {
    await bridge.start('bot');
    await bridge.start('consumer');
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await bareDownload(telegram, photos, join(folders.root, `bare-${round}`));
      const before = performance.now();
      const ids = photos.map(
        (document, index) =>
          telegram.say({ document, caption: index === 0 ? '/blog trip' : '', mediaGroupId: `album-${round}` })
            .message_id,
      );
      const receipt = join(folders.state, `${ids[0]}.json`);
      while (!existsSync(receipt)) await pause(2);
      all.push({ bridge: performance.now() - before, bare });
      await telegram.waitFor(({ botMessages }) => botMessages.some(({ replyTo }) => replyTo === ids[0]));
    }
  } finally {
    await bridge.close();
  }
  const bridgeMs = median(all.map((one) => one.bridge));
  const bareMs = median(all.map((one) => one.bare));
  return { bridgeMs, bareMs, ratio: bridgeMs / bareMs, all };
}

/**
 * @param {{ apiRoot: string, token: string }} telegram
 * @param {string[]} fileIds
 * @param {string} folder
 */
async function bareDownload({ apiRoot, token }, fileIds, folder) {
  mkdirSync(folder);
  const before = performance.now();
  for (const [index, fileId] of fileIds.entries()) {
    const answer = await fetch(`${apiRoot}/bot${token}/getFile?file_id=${fileId}`);
    const { result } = await answer.json();
    const response = await fetch(`${apiRoot}/file/bot${token}/${result.file_path}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(join(folder, `${index}`)));
  }
  return performance.now() - before;
}
