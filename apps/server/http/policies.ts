/** Content security policies of documents, all made of one list: what runs comes from this host, and nothing can be framed or posted. */
const base = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // Not even a mistake of ours can make markup of what a record says.
  'trusted-types': "'none'",
}

const policy = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...base, ...more })
    .map((directive) => directive.join(' '))
    .join('; ')

/** Pages that people read. */
export const pagePolicy = policy()

/** `countersign` is the only policy of trusted types: it makes the addresses of workers, and nothing else. */
export const consolePolicy = policy({
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'trusted-types': 'countersign',
})

/** A worker has the policy of its own file, and not that of the page: it reads entries of a chain, and nothing else. */
export const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

/** The service worker that shows push messages: it loads nothing and asks for nothing. */
export const pushPolicy = "default-src 'none'"
