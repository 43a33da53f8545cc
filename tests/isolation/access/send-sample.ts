import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import type { Answer } from '../../support/contract-check.ts'
import type { TestServer } from '../../support/server.ts'
import type { SampleCall } from './sample.ts'

export function sendSample(
  server: TestServer,
  { spec }: Operation,
  call: SampleCall,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = fullPath(spec).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ''),
  )
  return server.call(spec.method, call.query ? `${path}?${call.query}` : path, {
    headers: { ...call.headers, ...headers },
    ...(call.body !== undefined && { body: call.body }),
    ...(token !== undefined && { token }),
  })
}
