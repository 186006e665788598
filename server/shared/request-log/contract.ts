/** One request to the API as it is logged: without any content of the request or the response. */
export interface RequestRecord {
  readonly request_id: string
  readonly at: string
  readonly method: string
  /** The operation's name in the description of the API. */
  readonly operation: string
  readonly status: number
  /** The error code of the response; null when it succeeded. */
  readonly error: string | null
  readonly ms: number
  /** The agent that called; null for the person's own wallet tokens. */
  readonly client_id: string | null
}
