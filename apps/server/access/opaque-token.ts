/** Opaque tokens: 256 random bits behind a prefix that names their purpose. Only the SHA-256 hash is stored. */
import { hash, randomBytes } from 'node:crypto'

/** One letter after `cs`: the log removes what has this form. */
export const tokenPrefixes = {
  csr: 'refresh',
  cst: 'single sign-on',
  csi: 'invitation',
  csp: 'password reset',
  csu: 'sign-up',
  csl: 'ticket for linking an account of a provider',
  csm: 'link by mail to such an account',
  csh: 'from a custom domain to sign-in',
  csb: 'back to the custom domain',
  csc: 'calendar feed',
} as const
export type TokenPrefix = keyof typeof tokenPrefixes

export const newToken = (prefix: TokenPrefix): string => `${prefix}_${randomBytes(32).toString('base64url')}`
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
