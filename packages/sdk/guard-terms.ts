/** The terms of one call: what the tool says, else what the guard says, else what the environment says. */
import { apiKeyFromEnvironment, centerFromEnvironment, fromEnvironment, urlFromEnvironment } from './environment.ts'
import { checkTrust } from './guard-trust.ts'
import type { GuardClient, GuardOptions, PerCall, Terms, Trust } from './guard-types.ts'
import { trustOf } from './trust.ts'

export interface CallTerms extends Trust {
  readonly client: GuardClient
  readonly withinMs: number
  readonly onDone: 'throw' | 'replay'
}

export const valueFor = <I extends object, T>(value: PerCall<I, T> | undefined, input: I): T | undefined =>
  typeof value === 'function' ? (value as (input: I) => T)(input) : value

/** With the environment where the program says nothing. */
export function wholeTrust({
  trust,
  center,
  sandbox,
  ...rest
}: Partial<Omit<Trust, 'trust'>> & Pick<GuardOptions, 'trust'>): Trust {
  const whole = {
    ...rest,
    trust: trustOf(trust),
    center: center ?? (centerFromEnvironment() as number),
    sandbox: sandbox ?? fromEnvironment('COUNTERSIGN_SANDBOX') === 'true',
  }
  checkTrust(whole)
  return whole
}

/** Loaded only where a program passes no client. */
async function ownClient(): Promise<GuardClient> {
  const { Countersign } = await import('./countersign.ts')
  return new Countersign()
}

/** `tools`: those that are known already. Settings that don't depend on a call are checked here, before the first one. */
export function termsOf(options: GuardOptions, tools: readonly Terms<never>[]) {
  const trust = trustOf(options.trust)
  let ours: Promise<GuardClient> | undefined
  for (const tool of tools) {
    const { client, center } = { ...options, ...defined(tool) }
    if (client === undefined) [urlFromEnvironment(), apiKeyFromEnvironment()]
    if (typeof center !== 'function') wholeTrust({ trust, ...plain({ ...options, ...defined(tool) }) })
  }

  return async <I extends object>(tool: Terms<I>, input: I): Promise<CallTerms> => {
    const of = <K extends keyof Terms<I>>(name: K) => {
      const value = tool[name] === undefined ? (options as Terms<I>)[name] : tool[name]
      const result = valueFor(value as PerCall<I, Exclude<Terms<I>[K], (input: I) => unknown>>, input)
      // A branch without a return would loosen what the guard says for all tools.
      if (typeof value === 'function' && result === undefined) throw new TypeError(`${name} returned no value.`)
      return result
    }
    const { sandbox } = options
    const accepted = {
      ...{ trust, center: of('center'), requires: of('requires'), approvers: of('approvers') },
      ...{ confirmedBy: of('confirmedBy'), boundBefore: of('boundBefore') },
      ...(sandbox !== undefined && { sandbox }),
    } as Trust
    const withinMs = of('withinMs') ?? 0
    if (!(withinMs >= 0)) throw new TypeError(`withinMs is ${withinMs}. Use a number of milliseconds.`)
    const [whole, given, onDone] = [wholeTrust(accepted), of('client'), of('onDone') ?? 'throw']
    if (!given) ours ??= ownClient()
    return { ...whole, client: given ?? (await (ours as Promise<GuardClient>)), withinMs, onDone }
  }
}

const defined = (tool: Terms<never>): Terms<never> =>
  Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined))

/** The terms that are values. */
function plain(options: Terms<never> & Pick<GuardOptions, 'sandbox'>): Omit<Partial<Trust>, 'trust'> {
  const names = ['center', 'sandbox', 'requires', 'approvers', 'confirmedBy', 'boundBefore'] as const
  return Object.fromEntries(
    names.flatMap((name) => (typeof options[name] === 'function' ? [] : [[name, options[name]]])),
  )
}
