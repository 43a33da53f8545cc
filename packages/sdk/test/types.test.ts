/** The generated types say the same as the contract. The compiler checks it. */

import type { BodyOf, OperationSpec, PayloadOf, SpecOf, StatusOf } from '@countersign/contract'
import * as contract from '@countersign/contract'
import { expect, it } from 'vitest'
import type { PlatformApi, ProofApi } from '../api.generated.ts'
import type { Call, CallOptions, PageCall } from '../call.ts'

type Specs<Module> = {
  [Name in keyof Module]: OperationSpec extends SpecOf<Module[Name]> ? never : SpecOf<Module[Name]>
}[keyof Module]
type Spec = Specs<typeof contract>

type Resource<Id> = Id extends 'decisionEvents' ? 'decisions' : Id
type ApiOf<S extends OperationSpec> = S['surface'] extends 'proof' ? ProofApi : PlatformApi
/** A mount on another surface has its plain name in the client there. */
type Plain<Id> = Id extends `${string}AsMember` ? never : Id
type MethodOf<S extends OperationSpec> =
  Plain<S['id']> extends `${infer R}.${infer V}`
    ? Resource<R> extends keyof ApiOf<S>
      ? V extends keyof ApiOf<S>[Resource<R>]
        ? ApiOf<S>[Resource<R>][V]
        : never
      : never
    : never

type ResultOf<F> = F extends (...values: never[]) => infer R
  ? R extends PageCall<infer Item, unknown>
    ? Item
    : R extends Call<infer T>
      ? T
      : R extends AsyncIterable<infer Line>
        ? Line
        : never
  : never
type Payload<S extends OperationSpec> = { [N in StatusOf<S>]: PayloadOf<S, N> }[StatusOf<S>]
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Body<A> = A extends string | number | undefined ? never : Same<A, CallOptions> extends true ? never : A
type ArgumentOf<F> = F extends (...values: infer A) => unknown ? Body<A[number]> : never

type Wrong<S extends OperationSpec> = S extends S
  ? Same<ResultOf<MethodOf<S>>, [Payload<S>] extends [null] ? void : Payload<S>> extends true
    ? [BodyOf<S>] extends [undefined]
      ? never
      : [BodyOf<S>] extends [ArgumentOf<MethodOf<S>>]
        ? never
        : S['id']
    : S['id']
  : never

/** The schema of the contract names the members or values there, and its type does not; or one of two answers has no body. */
type Narrower =
  | 'dpus.getStats'
  | 'events.publish'
  | 'centerExports.getFile'
  | 'centerExports.download'
  | 'policies.delete'

it('the types of all operations are those of the contract', () => {
  const none: [Exclude<Wrong<Spec>, Narrower>] extends [never] ? true : Wrong<Spec> = true
  expect(none).toBe(true)
  // The compiler sees the operations that the index exports.
  const exported = Object.values(contract).flatMap((each) =>
    typeof each === 'object' && ('spec' in each || 'mounts' in each)
      ? contract.mountsOf(each as contract.Operation | contract.Definition).map(({ id }) => id)
      : [],
  )
  expect(exported.toSorted()).toEqual(contract.operations.map(({ id }) => id).toSorted())
})
