import { BadgeCheck, CircleHelp } from 'lucide-react'
import { readOrigin } from '@/components/lib/origin'
import { Badge } from '@/components/ui/badge'
import { ForeignText } from '@/components/ui/foreign-text'
import { Notice } from '@/components/ui/notice'
import { consentText } from './messages'

const NAME_MAX = 80

interface PayeeProps {
  readonly name: string | null | undefined
  readonly audience: string
  /** Left out where a check no longer matters. */
  readonly verified?: boolean
}

/** Who gets the money: the name, whether somebody checked it, and the address in a form that cannot imitate another. */
export function Payee({ name, audience, verified }: PayeeProps) {
  const origin = readOrigin(audience)
  return (
    <div className="grid gap-3">
      <div className="grid gap-1.5">
        <p className="text-xl font-medium tracking-tight">
          <span className="text-muted">{consentText.payTo}</span>{' '}
          <ForeignText text={name ?? origin.host} max={NAME_MAX} />
        </p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          {verified === undefined ? null : (
            <Badge icon={verified ? BadgeCheck : CircleHelp} tone={verified ? 'success' : 'warning'}>
              {verified ? consentText.verified : consentText.unverified}
            </Badge>
          )}
          <code className="min-w-0 break-all font-mono text-sm">
            {origin.text}
            <span className="text-muted">{origin.path}</span>
          </code>
        </p>
      </div>
      {verified === false ? <p className="text-sm text-muted">{consentText.unverifiedHint}</p> : null}
      {origin.punycode ? <Notice tone="danger">{consentText.punycode(origin.host)}</Notice> : null}
    </div>
  )
}
