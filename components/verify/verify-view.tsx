'use client'

import { type DragEvent, type SyntheticEvent, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button } from '@/components/ui/button'
import { controlClass, Field, Input, useFieldTies } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { verifyTexts } from './messages'
import { ReportView } from './report-view'
import { PACK_MAX_BYTES, useVerifier } from './use-verifier'

/** Takes an evidence file, dropped, chosen or pasted, and shows the result of the check. */
export function VerifyView() {
  const text = useText(verifyTexts)
  const hydrated = useHydrated()
  const [pack, setPack] = useState('')
  const [keys, setKeys] = useState('')
  const [isTooLarge, setTooLarge] = useState(false)
  const check = useVerifier()
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    setTooLarge(file.size > PACK_MAX_BYTES)
    if (file.size > PACK_MAX_BYTES) return
    const content = await file.text()
    setPack(content)
    check.mutate({ pack: content, keys })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (pack !== '' && !check.isPending) check.mutate({ pack, keys })
  }
  return (
    <div className="grid gap-6" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
        <p className="text-muted">{text.lead}</p>
      </header>
      {hydrated && !window.isSecureContext ? <Notice tone="warning">{text.insecure}</Notice> : null}
      <form onSubmit={submit} className="grid gap-5">
        <Field label={text.file} hint={text.fileHint} error={isTooLarge ? text.tooLarge : undefined}>
          <Input
            type="file"
            accept="application/json,.json"
            disabled={!hydrated}
            onChange={(event) => void take(event.target.files?.[0])}
          />
        </Field>
        <Field label={text.paste}>
          <TextArea value={pack} onChange={setPack} />
        </Field>
        <Field label={text.keys} hint={text.keysHint}>
          <TextArea value={keys} onChange={setKeys} />
        </Field>
        <Button type="submit" size="lg" busy={check.isPending} disabled={!hydrated}>
          {text.submit}
        </Button>
      </form>
      {check.isError ? (
        <Notice tone="danger" role="alert" title={text.unreadable}>
          <p lang="en">{check.error.message}</p>
        </Notice>
      ) : null}
      {check.data === undefined ? null : <ReportView report={check.data} />}
      <p className="text-sm text-muted wrap-anywhere">{text.command}</p>
    </div>
  )
}

interface TextAreaProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function TextArea({ value, onChange }: TextAreaProps) {
  return (
    <textarea
      {...useFieldTies()}
      rows={4}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${controlClass} font-mono text-sm`}
    />
  )
}
