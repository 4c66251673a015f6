import { useHere } from "../../data/here.tsx";
import { defineWords, useWords } from "../../words/language.tsx";
import { Field } from "./field.tsx";

const fieldWords = defineWords({
  en: { hint: "Include the country code, for example +14155552671" },
  zh: { hint: "请填写带国际区号的号码，例如 +14155552671。" },
});

interface RecipientFieldProps {
  label: string;
  /** The simulated numbers of TEST, and what each of them does. */
  simulated: string;
  /** A number of TEST as an example. */
  placeholder: string;
  value: string;
  error: string | undefined;
  onWrite(value: string): void;
}

/** The phone number that a message or call is for. It gets the focus when its dialog opens. */
export function RecipientField({ simulated, ...rest }: RecipientFieldProps) {
  const words = useWords(fieldWords);
  const { livemode } = useHere();
  return <Field {...rest} description={livemode ? words.hint : simulated} type="tel" data-autofocus />;
}
