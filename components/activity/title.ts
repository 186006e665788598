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
