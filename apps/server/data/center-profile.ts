/** The facts of a center for row-level security and the seal; read from the directory, never from the caller. */
export interface CenterProfile {
  readonly centerId: number
  readonly cell: string
  readonly name: string
  readonly vertical: string
  readonly country: string | null
  readonly region: string | null
  /** Policies that the center got when it was created; `isFixed`: it cannot change them. They never change here. */
  readonly inherited: { readonly ids: readonly string[]; readonly isFixed: boolean } | null
}
