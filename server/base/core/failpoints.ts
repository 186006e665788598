/** Points in the code at which a fault test may make the process die, fail or wait. */
export const failpointNames = [
  'settle.after_auth',
  'settle.after_reserve_commit',
  'settle.before_pi_create',
  'settle.after_pi_create',
  'settle.before_confirm',
  'settle.after_confirm_before_db',
  'settle.before_outcome_commit',
  'settle.after_outcome_commit',
  'token.after_consume',
  'token.before_commit',
  'token.after_commit',
  'webhook.after_dedup_insert',
  'webhook.before_commit',
  'webhook.after_commit',
  'audit.after_head_lock',
  'audit.before_commit',
  'revoke.after_db_commit',
  'revoke.before_cache',
  'revoke.after_cache',
  'outbox.after_send_before_mark',
  'keys.mid_rotate',
  'boot.mid_migrate',
  'boot.mid_recover',
] as const
export type FailpointName = (typeof failpointNames)[number]

type FailpointHandler = (name: FailpointName) => Promise<void> | undefined

// Bundles may hold several copies of this module; a process has one handler.
const HANDLER = Symbol.for('countersign.failpoints')
const holder = globalThis as { [HANDLER]?: FailpointHandler | undefined }

/** Marks a point for fault tests. Does nothing unless a test has installed a handler in the process. */
export function failpoint(name: FailpointName): Promise<void> | undefined {
  return holder[HANDLER]?.(name)
}

/** Sets the handler that a fault test runs at the marked points of this process. */
export function installFailpoints(handler: FailpointHandler): void {
  holder[HANDLER] = handler
}
