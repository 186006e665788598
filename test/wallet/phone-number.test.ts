import { describe, expect, test } from 'vitest'
import { toldBy } from '@/components/approvals/told-by'
import { notificationsText } from '@/components/notifications/messages'
import { readPhone } from '@/components/notifications/read-phone'
import { saveNotificationsEndpoint } from '@/server/identity/contacts/contract'

const text = notificationsText.notifications
const read = (typed: string) => readPhone(typed, text)
const choiceWith = (phone: string | undefined) => ({ email_enabled: true, rcs_enabled: true, rcs_phone_e164: phone })

describe('a phone number as it is typed', () => {
  test.each(['+353861234567', '+49 171 392-0000', '+1 (415) 555.2671', '\u202a+353 86 123 4567\u202c'])(
    'the phone number %s is sent without its separators',
    (phone) => {
      const { phone: number } = read(phone)
      expect(number).toMatch(/^\+\d+$/)
      expect(saveNotificationsEndpoint.body.schema.safeParse(choiceWith(number)).success).toBe(true)
    },
  )

  test.each(['0861234567', '+0861234567', '+12345', '+1234567890123456', '+49 171 CALL ME'])(
    'the phone number %s is refused, as by the service',
    (phone) => {
      expect(read(phone)).toEqual({ error: text.phoneBad })
      const sent = choiceWith(phone.replaceAll(' ', ''))
      expect(saveNotificationsEndpoint.body.schema.safeParse(sent).success).toBe(false)
    },
  )

  test('a phone number may not be missing', () => {
    expect(read(' ')).toEqual({ error: text.phoneMissing })
  })
})

describe('what the empty list of approvals says about notifications', () => {
  test.each([
    [['email'], 'email'],
    [['rcs'], 'rcs'],
    [['email', 'rcs'], 'both'],
    [[], 'nothing'],
  ] as const)('the empty list names the channels %j as %s', (channels, told) => {
    expect(toldBy({ told_by: channels })).toBe(told)
  })
})
