import { expect, test } from 'vitest'
import { failureTextDe } from './failure-messages.de'

test.each(['payment_declined', 'region_unsupported', 'request_object_invalid'])(
  'a refusal of the service is not called a fault of ours in German: %s',
  (code) => {
    const { refusals, unknown } = failureTextDe
    expect(refusals[code]).toMatch(/\.$/)
    expect(refusals[code]).not.toBe(unknown)
  },
)
