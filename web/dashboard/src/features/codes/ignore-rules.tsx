import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../words/language.tsx";
import { codeWords } from "./codes.words.ts";
import type { Profile } from "./profile.ts";

export type IgnoreRule = Profile["ignore_rules"][number];

const fields: IgnoreRule["field"][] = ["type", "payer", "word"];
const most = 100;

/** Income that isn't the shop's, identified by type, payer or word: it is ignored unless it has a code of an order. */
export function IgnoreRules({ rules, onChange }: { rules: IgnoreRule[]; onChange(rules: IgnoreRule[]): void }) {
  const words = useWords(codeWords);
  const change = (at: number, rule: Partial<IgnoreRule>) => onChange(rules.map((one, index) => (index === at ? { ...one, ...rule } : one)));
  return (
    <fieldset className="ignore-rules">
      <legend>{words.ignoreRules}</legend>
      <p className="soft">{words.ignoreRulesText}</p>
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own, and their order does not change
        <div key={at} className="ignore-rule">
          <Select
            aria-label={words.ruleField}
            data={fields.map((value) => ({ value, label: words.ruleFields[value] }))}
            value={rule.field}
            onChange={(field) => change(at, { field: (field ?? rule.field) as IgnoreRule["field"] })}
            allowDeselect={false}
            w={140}
          />
          <TextInput
            aria-label={words.ruleText}
            placeholder={words.ruleHints[rule.field]}
            maxLength={60}
            value={rule.text}
            onChange={(event) => change(at, { text: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={words.removeRule(rule.text)}
            onClick={() => onChange(rules.filter((_one, index) => index !== at))}
          >
            <IconX size={18} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} stroke={1.5} />}
        disabled={rules.length >= most}
        onClick={() => onChange([...rules, { field: "type", text: "" }])}
      >
        {words.addRule}
      </Button>
    </fieldset>
  );
}
