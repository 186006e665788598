import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { showInAddress } from './show-in-address'

/** Returns the search words of a list, which the address holds as `?q=reader`, so that the view can be linked to. */
export function useSearchWords(): readonly [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(useSearchParams().get('q') ?? '')
  const set = (typed: string) => {
    setWords(typed)
    showInAddress('q', typed === '' ? null : typed)
  }
  return [words, set]
}
