import type { Config } from './platform'

/** The mode of the sandbox, `public` if strangers may use it; null outside the sandbox. */
export type SandboxMode = 'local' | 'public' | null

export function sandboxMode({ sandbox, isSandboxPublic }: Config): SandboxMode {
  if (!sandbox) return null
  return isSandboxPublic ? 'public' : 'local'
}
