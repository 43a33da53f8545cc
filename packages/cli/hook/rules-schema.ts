/**
 * The schema of the rule file. docs/formats/hook-rules-v1.schema.json is this object as a file, for editors; the hook checks a file
 * by the same object, with the few keywords that it uses.
 */
const texts = (description: string) => ({
  type: 'array',
  minItems: 1,
  items: { type: 'string', minLength: 1, maxLength: 500 },
  description,
})

const handling = (description: string) => ({ type: 'string', enum: ['ask', 'pass'], description })

const rule = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
      description: 'Approvers see it, and so does whoever reads the summary.',
    },
    commands: texts(
      'Commands of a shell: the program and its subcommands in order, and options that must be present, such as `git push` or `rm -r`. `*` stands for any characters of a word.',
    ),
    paths: texts(
      'Files that a call writes. `~` is your home folder, `*` stands for any characters of a name, and `**` for any folders.',
    ),
    tools: texts("Names of the agent's own tools, such as `WebFetch`. `*` stands for any characters."),
    mcp: texts('Tools of MCP servers, as `server/tool`. `*` stands for any characters.'),
    agents: texts('The rule is for these agents only, such as `claude-code`. By default, it is for all.'),
    handling: handling(
      '`ask`: the call is recorded, and runs only if it is allowed. `pass`: the hook says nothing about it. `ask` is the default.',
    ),
    risk: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The risk score that policies compare. Without it, every risk threshold counts as exceeded.',
    },
  },
} as const

export const rulesSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rules of countersign hook',
  type: 'object',
  additionalProperties: false,
  required: ['rules'],
  properties: {
    $schema: { type: 'string' },
    rules: {
      type: 'array',
      items: rule,
      description:
        'For each command, file and tool of a call, the first rule that fits counts. Your rules come before the default ones.',
    },
    defaults: {
      type: 'boolean',
      description: 'Whether the default rules apply after yours. `true` is the default.',
    },
    unresolved: handling(
      "What is done with a command line that can't be resolved before it runs, such as `$TOOL push` or `curl … | sh`. `ask` is the default.",
    ),
    otherTools: handling(
      "What is done with a tool that no rule names and the hook doesn't know. `ask` is the default.",
    ),
    otherMcp: handling('What is done with a tool of an MCP server that no rule names. `ask` is the default.'),
  },
} as const

export interface Rule {
  readonly name: string
  readonly commands?: readonly string[]
  readonly paths?: readonly string[]
  readonly tools?: readonly string[]
  readonly mcp?: readonly string[]
  readonly agents?: readonly string[]
  readonly handling?: 'ask' | 'pass'
  readonly risk?: number
}

export interface RuleFile {
  readonly rules: readonly Rule[]
  readonly defaults?: boolean
  readonly unresolved?: 'ask' | 'pass'
  readonly otherTools?: 'ask' | 'pass'
  readonly otherMcp?: 'ask' | 'pass'
}

interface Schema {
  readonly type: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Where a value doesn't fit, as a JSON pointer; null if it fits. */
export function unfit(value: unknown, schema: Schema = rulesSchema, at = ''): string | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const type = Array.isArray(value) ? 'array' : isObject ? 'object' : typeof value
  if (type !== schema.type) return at || '/'
  if (typeof value === 'string') {
    const { enum: among, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
    const fits = (!among || among.includes(value)) && (!pattern || new RegExp(pattern).test(value))
    return fits && value.length >= minLength && value.length <= maxLength ? null : at
  }
  if (typeof value === 'number') {
    return value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value) ? null : at
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return at
    return first(value.map((each, index) => unfit(each, schema.items, `${at}/${index}`)))
  }
  if (!isObject) return null
  const { properties = {}, required = [] } = schema
  return first([
    ...required.map((name) => (Object.hasOwn(value, name) ? null : `${at}/${name}`)),
    ...Object.entries(value).map(([name, each]) =>
      Object.hasOwn(properties, name) ? unfit(each, properties[name], `${at}/${name}`) : `${at}/${name}`,
    ),
  ])
}

const first = (all: readonly (string | null)[]): string | null => all.find((each) => each !== null) ?? null
