/** Width and height from the header of a PNG, GIF, JPEG or WebP; undefined for anything else. */
export interface Size {
  width: number;
  height: number;
}

export function imageSize(bytes: Buffer): Size | undefined {
  try {
    return pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the header is cut
    throw error;
  }
}

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.toString('latin1', 0, 8) !== '\u0089PNG\r\n\u001A\n' || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): Size | undefined {
  if (!/^GIF8[79]a$/u.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return undefined;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** Walks from segment to segment to the start of a frame (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}
