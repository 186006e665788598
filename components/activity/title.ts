import type { TextOf } from '@/components/i18n/texts'
import type { ActivityEntry } from '@/components/lib/api-types'
import type { activityTexts } from './messages'

/** Returns the title of an audit event: by what happened where its name says too little, else by its name. */
export function activityTitle(
  text: TextOf<typeof activityTexts>,
  { event, detail }: Pick<ActivityEntry, 'event' | 'detail'>,
): string {
  return text.titles[`${event} ${detail}`] ?? text.events[event] ?? event
}

/** Whether the title says already by what means a person decided. */
export function titleSaysMeans({ event, detail }: Pick<ActivityEntry, 'event' | 'detail'>): boolean {
  return event.startsWith('oid4ac.consent.') && detail === 'token'
}
