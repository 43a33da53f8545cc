/** Opaque tokens: 256 random bits behind a prefix that names their purpose. Only the SHA-256 hash is stored. */
import { hash, randomBytes } from 'node:crypto'

/** csr: refresh. cst: single sign-on. csi: invitation. csp: password reset. csu: sign-up. csl: ticket for linking. csm: link by mail. csh, csb: from a
 * custom domain, and back. */
export type TokenPrefix = 'csr' | 'cst' | 'csi' | 'csp' | 'csu' | 'csl' | 'csm' | 'csh' | 'csb'

export const newToken = (prefix: TokenPrefix): string => `${prefix}_${randomBytes(32).toString('base64url')}`
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
