'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import type { Finding, Report, Status, Verdict } from '@/verify/src/index'
import { verifyTexts } from './messages'

const tones = {
  proven: 'success',
  consistent: 'info',
  incomplete: 'warning',
  wrong: 'danger',
} as const satisfies Record<Verdict, string>

const order: readonly Status[] = ['wrong', 'missing', 'proven', 'stated']

/** Shows the result of the check. Its sentences are English, as in the command. */
export function ReportView({ report }: { readonly report: Report }) {
  const text = useText(verifyTexts)
  return (
    <div className="grid gap-6">
      <Notice tone={tones[report.verdict]} role="status" title={text.verdict[report.verdict]}>
        <div className="grid gap-2 wrap-anywhere" lang="en">
          {report.summary.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </Notice>
      {order.map((status) => (
        <FindingList
          key={status}
          title={text.status[status]}
          findings={report.findings.filter((finding) => finding.status === status)}
        />
      ))}
    </div>
  )
}

function FindingList({ title, findings }: { readonly title: string; readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <section className="grid gap-2">
      <h2 className="text-lg font-semibold">{title}</h2>
      <ul className="grid list-disc gap-1 ps-5" lang="en">
        {findings.map(({ part, text }) => (
          <li key={part + text} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}
