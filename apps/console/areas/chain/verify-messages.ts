/** What the page and the worker say to each other. */
export interface BrowserVerdict {
  readonly brokenAt: number | null
  readonly reason: string | null
  readonly chainLength: number
  readonly headHash: string | null
}

export type ToWorker =
  | {
      readonly type: 'start'
      readonly domain: 'proof' | 'dpu' | 'history'
      readonly log: string
      readonly total: number
    }
  | { readonly type: 'renewed' }

export type FromWorker =
  | {
      readonly type: 'progress'
      readonly from: number
      readonly checked: number
      readonly levels: Uint8Array<ArrayBuffer>
    }
  | { readonly type: 'renew' }
  | { readonly type: 'done'; readonly verdict: BrowserVerdict }
  | { readonly type: 'failed'; readonly message: string }
