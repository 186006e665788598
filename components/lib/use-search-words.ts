import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { showInAddress } from './show-in-address'

/** The words that a list is searched for. They are part of the address, as `?q=reader`, so that they can be linked to. */
export function useSearchWords(): readonly [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(useSearchParams().get('q') ?? '')
  const set = (typed: string) => {
    setWords(typed)
    showInAddress('q', typed === '' ? null : typed)
  }
  return [words, set]
}
