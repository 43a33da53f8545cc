/** A picture from a person's disk as a PNG that the server takes: decoded by the browser and drawn again, at most 512 × 512. */
const maxSide = 512
const maxBytes = 200 * 1024
/** Larger files are no logos, and decoding them could end the tab. */
const maxFileBytes = 20 * 1024 * 1024

export type LogoFault = 'svg' | 'type' | 'large' | 'broken'

/** By its first bytes, whatever its name says. */
function kindOf(bytes: Uint8Array): 'picture' | 'svg' | null {
  const starts = (...codes: readonly number[]) => codes.every((code, at) => bytes[at] === code)
  if (starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff)) return 'picture'
  const text = String.fromCharCode(...bytes.subarray(0, 512))
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'picture'
  return /<(?:svg|\?xml|!doctype)/i.test(text) ? 'svg' : null
}

export async function logoFrom(file: Blob): Promise<string | LogoFault> {
  if (file.size > maxFileBytes) return 'large'
  const kind = kindOf(new Uint8Array(await file.slice(0, 512).arrayBuffer()))
  if (kind !== 'picture') return kind ?? 'type'
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return 'broken'
  try {
    // A photograph compresses badly: with fewer dots it fits.
    for (const side of [maxSide, 256, 128]) {
      const png = await drawn(picture, side)
      if (png && png.size <= maxBytes) return base64(new Uint8Array(await png.arrayBuffer()))
    }
    return 'large'
  } finally {
    picture.close()
  }
}

function drawn(picture: ImageBitmap, side: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
