/** The tools, prompts and resources that the conformance suite asks a server for, so that it can ask a gateway for them. */
import {
  type CallToolResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
  type Tool,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
})
const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })

/** With every keyword that a schema has, none of which may be lost on the way. */
const address = {
  $anchor: 'addressDef',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
}
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: { address },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const results: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
  test_embedded_resource: { content: [embedded('test://embedded-resource')] },
  test_multiple_content_types: {
    content: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource')],
  },
  test_error_handling: { content: [text('This tool intentionally returns an error for testing')], isError: true },
  json_schema_2020_12_tool: { content: [text('{}')] },
  test_custom_headers: { content: [text('seen')] },
}
const headers = {
  type: 'object' as const,
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
}
const inputs: Readonly<Record<string, Tool['inputSchema']>> = {
  json_schema_2020_12_tool: schema2020,
  test_custom_headers: headers,
}

const prompts: Readonly<Record<string, (args: Readonly<Record<string, string>>) => GetPromptResult['messages']>> = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    user(embedded(resourceUri)),
    user(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Please analyze the image above.'))],
}
const promptArguments: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

function contents(uri: string): ReadResourceResult['contents'] {
  if (uri === 'test://static-text') return [{ uri, mimeType: 'text/plain', text: 'This is the content.' }]
  if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: png }]
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
  if (!id) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`)
  return [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }]
}

serveStdio(() => {
  const capabilities = { tools: {}, prompts: {}, resources: {} }
  const server = new Server({ name: 'conformance', version: '1.0.0' }, { capabilities })
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(results).map((name) => ({
      ...{ name, description: `For the suite: ${name}.` },
      inputSchema: inputs[name] ?? { type: 'object' as const },
    })),
  }))
  server.setRequestHandler('tools/call', ({ params }) => results[params.name] as CallToolResult)
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => ({
      ...{ name, description: `For the suite: ${name}.` },
      arguments: (promptArguments[name] ?? []).map((each) => ({ name: each, description: each, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: prompts[params.name]?.(params.arguments ?? {}) ?? [],
  }))
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary'].map((uri) => ({ uri, name: uri, description: uri })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'By ID.' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: contents(uri) }))
  return server
})
