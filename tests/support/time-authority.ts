/** A minimal time-stamping authority made with openssl, over real HTTP. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TimeAuthority {
  readonly url: string
  /** Its certificate, for `openssl ts -verify -CAfile`. */
  readonly certificate: string
  /** An answer that replaces the real one, to simulate a misbehaving authority. */
  answer: ((reply: Buffer) => { status: number; body: Buffer | string }) | null
  /** Whether openssl accepts a token for this text. */
  accepts(token: Buffer, text: string): boolean
  close(): Promise<void>
}

/** The minimal configuration for `openssl ts`. */
export const authoritySettings =
  'oid_section=o\n[o]\nx=1.2.3.4\n[req]\ndistinguished_name=d\nx509_extensions=e\n[d]\n[e]\nextendedKeyUsage=critical,timeStamping\n' +
  '[tsa]\ndefault_tsa=t\n[t]\nserial=serial\ncrypto_device=builtin\nsigner_digest=sha256\ndefault_policy=x\n' +
  'digests=sha256\naccuracy=secs:1\ness_cert_id_alg=sha256\n'

export async function openTimeAuthority(): Promise<TimeAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'time-authority-'))
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'tsa.cnf'), authoritySettings)
  writeFileSync(join(folder, 'serial'), '01\n')
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.pem -subj /CN=Authority -config tsa.cnf')
  const authority = {
    answer: null as TimeAuthority['answer'],
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    writeFileSync(join(folder, 'query'), Buffer.concat(chunks))
    openssl('ts -reply -config tsa.cnf -queryfile query -inkey tsa.key -signer tsa.pem -out reply')
    const reply = readFileSync(join(folder, 'reply'))
    const { status, body } = authority.answer?.(reply) ?? { status: 200, body: reply }
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return Object.assign(authority, {
    url: `http://127.0.0.1:${port}`,
    certificate: join(folder, 'tsa.pem'),
    accepts(token: Buffer, text: string) {
      writeFileSync(join(folder, 'token'), token)
      writeFileSync(join(folder, 'text'), text)
      try {
        openssl('ts -verify -token_in -in token -data text -CAfile tsa.pem')
        return true
      } catch {
        return false
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
