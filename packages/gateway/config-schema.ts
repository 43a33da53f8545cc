/** The schema of the configuration file. `config.schema.json` is this object as a file, for editors. */
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const
const seconds = (most: number, usual: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: usual, description }))

const Secret = Type.Union(
  [
    Type.Object({ env: Type.String({ minLength: 1, description: 'The name of an environment variable.' }) }, closed),
    Type.Object({ file: Type.String({ minLength: 1, description: 'A file that contains nothing else.' }) }, closed),
  ],
  { description: "Where a secret is. The configuration file itself doesn't contain any." },
)
export type Secret = Static<typeof Secret>

const Value = Type.Union([Type.String(), Secret])
/** It becomes a part of names and of action types. */
const name = '^[A-Za-z][A-Za-z0-9-]{0,31}$'

const Protocol = Type.Optional(
  Type.Enum(['auto', '2025-11-25', '2026-07-28'], {
    default: 'auto',
    description: 'The protocol revision that the server speaks. With `auto`, the gateway asks it.',
  }),
)

const Prefix = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{0,32}$',
    description: "What precedes the names of the server's tools and prompts. By default, the server's name and `_`.",
  }),
)

const StdioUpstream = Type.Object(
  {
    command: Type.String({ minLength: 1, description: 'The program that the gateway starts.' }),
    args: Type.Optional(Type.Array(Type.String(), { description: 'Its arguments.' })),
    env: Type.Optional(
      Type.Record(Type.String(), Value, {
        description: 'Its environment, in addition to `PATH`, `HOME` and the like. No other variable is passed on.',
      }),
    ),
    cwd: Type.Optional(Type.String({ description: 'Its working folder.' })),
    prefix: Prefix,
    protocol: Protocol,
  },
  closed,
)

const HttpUpstream = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', description: 'The address of the server, such as https://…/mcp.' }),
    headers: Type.Optional(
      Type.Record(Type.String(), Value, { description: 'Sent with every request, such as `authorization`.' }),
    ),
    prefix: Prefix,
    protocol: Protocol,
  },
  closed,
)

const ToolRule = Type.Object(
  {
    tool: Type.String({
      minLength: 1,
      description: 'Names of tools as agents see them; `*` stands for any characters. The first rule that fits counts.',
    }),
    handling: Type.Optional(
      Type.Enum(['decide', 'pass', 'hide'], {
        default: 'decide',
        description:
          '`decide`: every call is a decision, and your policies say whether a person has to approve it. `pass`: calls are forwarded and not recorded. `hide`: no agent sees the tool.',
      }),
    ),
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The action type that policies match. By default, the name of the server, a dot, and the name of the tool.',
      }),
    ),
    riskScore: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Without it, every risk threshold counts as exceeded.' }),
    ),
  },
  closed,
)

const Agent = Type.Object(
  {
    key: Type.Union([Secret], {
      description:
        "The agent's Countersign API key, with the scope `decide` and bound to the agent. It stays in the gateway.",
    }),
    token: Type.Optional(
      Type.Union([Secret], {
        description:
          'What the agent sends over HTTP as `Authorization: Bearer …`, at least 32 characters. Without it, the agent can only be served over stdio.',
      }),
    ),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'The name that approvers see.' })),
    upstreams: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The servers whose tools, resources and prompts it sees. By default, all.',
      }),
    ),
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'The tools that it sees; `*` stands for any characters. By default, all of these servers.',
      }),
    ),
  },
  closed,
)

export const ConfigFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    countersign: Type.Object(
      {
        url: Type.String({ pattern: '^https?://', description: 'The address of Countersign, without `/api`.' }),
        trust: Type.Object(
          {
            trustFile: Type.String({
              minLength: 1,
              description: 'Your trust policy. Get it through a separate channel.',
            }),
            center: Type.Integer({ minimum: 1, description: "The center's ID; proofs of other centers don't count." }),
            sandbox: Type.Optional(Type.Boolean({ description: 'Whether that center is a sandbox.' })),
            requires: Type.Optional(
              Type.Enum(['session', 'passkey'], {
                description: "Forward nothing without a person's approval at this level, whatever the policies say.",
              }),
            ),
            approvers: Type.Optional(
              Type.Array(Type.String(), {
                minItems: 1,
                description: 'Actor IDs of the only people whose approvals count.',
              }),
            ),
          },
          { ...closed, description: 'What the gateway trusts. It verifies every approval under it.' },
        ),
      },
      { ...closed, description: 'The service that decides, and what the gateway trusts instead of its word.' },
    ),
    state: Type.String({
      minLength: 1,
      description:
        'A folder for what must survive a restart: calls that are held, and pinned tools. One process uses it at a time.',
    }),
    upstreams: Type.Record(Type.String({ pattern: name }), Type.Union([StdioUpstream, HttpUpstream]), {
      minProperties: 1,
      description: 'The MCP servers behind the gateway.',
    }),
    tools: Type.Optional(
      Type.Array(ToolRule, { description: 'Rules for tools. Without one, every call is a decision.' }),
    ),
    agents: Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Agent, {
      minProperties: 1,
      description: 'The agents that it serves, by the ID that their keys are bound to.',
    }),
    pins: Type.Optional(
      Type.Object(
        {
          agent: Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'The ID under which the gateway itself asks.',
          }),
          key: Type.Union([Secret], { description: 'An API key with the scope `decide`, bound to that ID.' }),
        },
        {
          ...closed,
          description:
            'With it, the gateway asks through Countersign when a server changes a tool; the action type is `gateway.tool.changed`. Without it, `countersign-gateway pins accept` is the only way.',
        },
      ),
    ),
    listen: Type.Optional(
      Type.Object(
        {
          port: Type.Integer({ minimum: 0, maximum: 65_535 }),
          host: Type.Optional(Type.String({ default: '127.0.0.1' })),
          names: Type.Optional(
            Type.Array(Type.String(), { description: 'Host names under which agents reach it, besides localhost.' }),
          ),
        },
        { ...closed, description: 'MCP over HTTP, at `/mcp`, for all agents that have a token.' },
      ),
    ),
    metrics: Type.Optional(
      Type.Object(
        {
          port: Type.Integer({ minimum: 0, maximum: 65_535 }),
          host: Type.Optional(Type.String({ default: '127.0.0.1' })),
        },
        { ...closed, description: '`/metrics` for Prometheus, `/health` and `/ready`.' },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          waitSeconds: seconds(3600, 45, 'How long a call waits for a person before the agent gets a handle.'),
          callSeconds: seconds(3600, 60, 'How long a server may take to answer. After that, the outcome is unknown.'),
          answerBytes: Type.Optional(
            Type.Integer({
              ...{ minimum: 1024, maximum: 67_108_864, default: 1_048_576 },
              description: 'The largest answer of a server, in bytes.',
            }),
          ),
          callsPerAgent: seconds(
            10_000,
            100,
            'How many calls of one agent may be open at once, those that wait included.',
          ),
          keepSeconds: seconds(2_592_000, 86_400, 'How long the result of a held call can be picked up.'),
          refreshSeconds: seconds(86_400, 300, "How often the servers' lists of tools are read again."),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'Configuration of countersign-gateway' },
)
export type ConfigFile = Static<typeof ConfigFile>
export type UpstreamConfig = ConfigFile['upstreams'][string]
export type ToolRule = Static<typeof ToolRule>
