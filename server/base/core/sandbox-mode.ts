import type { Config } from './platform'

/** Null outside the sandbox; `public` where strangers may play. */
export type SandboxMode = 'local' | 'public' | null

export function sandboxMode({ sandbox, isSandboxPublic }: Config): SandboxMode {
  if (!sandbox) return null
  return isSandboxPublic ? 'public' : 'local'
}
