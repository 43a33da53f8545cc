/** What a browser sends after `navigator.credentials.get`. */
export interface Assertion {
  readonly id: string
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
  readonly userHandle: string | null
}
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON
export interface Passkey {
  readonly id: string
  readonly name: string | null
  readonly thumbprint: string
  readonly backupEligible: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
export interface WaitingPasskey {
  readonly id: string
  readonly actorId: string
  readonly name: string
  readonly email: string
  readonly thumbprint: string
  readonly backupEligible: boolean
  readonly boundAt: string
}
