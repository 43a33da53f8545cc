/** The facts of a center for row-level security and the seal; read from the directory, never from the caller. */
export interface CenterProfile {
  readonly centerId: number
  readonly cell: string
  readonly name: string
  readonly vertical: string
  readonly country: string | null
  readonly region: string | null
  /**
   * Policies that the center got when it was created; `isFixed`: it cannot change them. They never change here. Of a sandbox,
   * `given` are those that its center has from the partner: all others are copies of the center's own.
   */
  readonly inherited: {
    readonly ids: readonly string[]
    readonly isFixed: boolean
    readonly given?: readonly string[]
  } | null
}

/** Whether the policy is one that a partner gave. */
export const isInherited = ({ inherited }: Pick<CenterProfile, 'inherited'>, id: string): boolean =>
  (inherited?.given ?? inherited?.ids ?? []).includes(id)
