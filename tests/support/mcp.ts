/** The official MCP client, installed once into a cache, in both eras of the protocol. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installed, run } from '../interop/installed.ts'

/** Of `conformance` the newest version knows the revision of 2026; the one before it knows those of 2025 only. */
const packages = ['@modelcontextprotocol/client@2.4.0', '@modelcontextprotocol/conformance@0.2.0-alpha.12']

export const mcpPackages = (): Promise<string> =>
  installed('mcp', packages.join(), 'the npm registry', async (folder) => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', ...packages], {
      cwd: folder,
    })
  })

export interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: as a client without our types reads it
  readonly structuredContent?: any
}

interface Progress {
  readonly progress: number
  readonly message?: string
}

interface Call {
  readonly name: string
  readonly arguments?: object
  readonly _meta?: object
}

export interface McpClient {
  connect(transport: unknown): Promise<void>
  close(): Promise<void>
  listTools(): Promise<{
    tools: readonly { name: string; description: string; inputSchema: object; annotations: object }[]
  }>
  callTool(call: Call, options?: { onprogress?(progress: Progress): void; signal?: AbortSignal }): Promise<ToolResult>
  setRequestHandler(
    method: string,
    handler: (request: { params: { mode: string; url: string; message: string } }) => Promise<{ action: string }>,
  ): void
  getNegotiatedProtocolVersion(): string | undefined
  getInstructions(): string | undefined
}

interface Library {
  readonly Client: new (info: object, options: object) => McpClient
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => unknown
}
interface StdioLibrary {
  readonly StdioClientTransport: new (server: object) => { readonly stderr: NodeJS.ReadableStream | null }
}

export const eras = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof eras)[number]

export interface ClientOptions {
  readonly era: Era
  /** What the user does with a URL. Without it the client cannot show one. */
  readonly onUrl?: (url: string, message: string) => Promise<'accept' | 'decline'>
}

const load = async <T>(file: string): Promise<T> =>
  import(join(await mcpPackages(), 'node_modules/@modelcontextprotocol/client/dist', file))

async function newClient({ era, onUrl }: ClientOptions): Promise<McpClient> {
  const { Client } = await load<Library>('index.mjs')
  const client = new Client(
    { name: 'countersign-tests', version: '0.0.0' },
    {
      capabilities: onUrl ? { elicitation: { url: {} } } : {},
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  )
  if (onUrl) {
    client.setRequestHandler('elicitation/create', async ({ params: { url, message } }) => ({
      action: await onUrl(url, message),
    }))
  }
  return client
}

export async function overHttp(url: string, key: string, options: ClientOptions): Promise<McpClient> {
  const { StreamableHTTPClientTransport } = await load<Library>('index.mjs')
  const client = await newClient(options)
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  return client
}

export interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export async function overStdio(server: Started, options: ClientOptions): Promise<McpClient> {
  const { StdioClientTransport } = await load<StdioLibrary>('stdio.mjs')
  const client = await newClient(options)
  await client.connect(new StdioClientTransport({ ...server, stderr: 'pipe' }))
  return client
}
