import { BadgeCheck } from 'lucide-react'
import { readText } from '@/components/i18n/read-text'
import type { ConsentView } from '@/components/lib/api-types'
import { readOrigin } from '@/components/lib/origin'
import { ForeignText } from '@/components/ui/foreign-text'
import { operatorTexts } from './operator-messages'

const NAME_MAX = 80

interface OperatedByProps {
  readonly operator: NonNullable<ConsentView['operated_by']>
}

/** Shows the verified operator of an agent. The operator chose the name; the host is what was verified. */
export async function OperatedBy({ operator }: OperatedByProps) {
  const text = await readText(operatorTexts)
  const { host } = readOrigin(operator.entity_id)
  return (
    <p className="flex items-center gap-2.5 text-sm text-muted">
      <BadgeCheck aria-hidden className="size-5 shrink-0 text-success" />
      <span className="min-w-0 wrap-anywhere">
        {text.operatedBy} {operator.name === null ? null : <ForeignText text={operator.name} max={NAME_MAX} />}{' '}
        <bdi>{operator.name === null ? host : `(${host})`}</bdi>, {text.verified}
      </span>
    </p>
  )
}
