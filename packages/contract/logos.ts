/** Logos that a center or a partner uploads. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ofCenter, ofPartner } from './access.ts'
import { CenterParam } from './centers.ts'
import { named } from './common.ts'
import { definition } from './operation.ts'

export const maxLogoBytes = 200 * 1024
export const maxLogoSide = 512
/** Where the server shows uploaded logos. */
export const logoPath = '/assets/logos/'

/** One pixel. */
const examplePng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const addLogo = definition({
  tag: 'Centers',
  store: 'none',
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...ofPartner,
      summary: "Upload a partner's logo",
      description:
        "Uploads a picture and returns its address, which you can set as `branding.logo` in your defaults for new centers, or of one of your centers. The rules are the same as for a center's logo.",
    },
  ],
  id: 'logos.add',
  method: 'POST',
  path: '/logos',
  summary: 'Upload a logo',
  description: `Uploads a picture and returns its address. To show it, set it as \`branding.logo\` in the center's settings. The picture must be a PNG of at most ${maxLogoSide} × ${maxLogoSide} pixels and 200 KB that isn't interlaced. The server keeps only its pixels: it checks the file and writes it again without any other content. Anyone who has the address can see the picture. The 20 newest pictures and those in use are kept.`,
  body: named(
    'NewLogo',
    {
      png: Type.String({
        minLength: 1,
        maxLength: Math.ceil(maxLogoBytes / 3) * 4,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description: 'The PNG file in Base64.',
        examples: [examplePng],
      }),
    },
    {
      description: 'The picture to upload.',
      examples: [{ png: examplePng }],
    },
  ),
  replies: {
    201: named(
      'Logo',
      {
        logo: Type.String({
          description: 'The address of the picture, relative to the server.',
          examples: [`${logoPath}6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0.png`],
        }),
      },
      { description: 'An uploaded logo.' },
    ),
  },
})
