export function cutSecrets(value: unknown): unknown
export function readBody(message: {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}): unknown
