import type { Platform } from './platform'

/** Returns the topic on which changes of a person's own data are announced. */
export const changesTopic = (principalId: string): string => `principal:${principalId}`

/** Tells the person's open pages to read again. Call it after the commit, since they read at once. */
export function announceChange({ cache }: Pick<Platform, 'cache'>, principalId: string): Promise<void> {
  return cache.publish(changesTopic(principalId))
}
