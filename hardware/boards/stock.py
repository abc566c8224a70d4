"""Common parts of the boards: resistors, capacitors and connectors with their order fields."""

import suppliers
from drawing import Part


def fields(maker, number, price, substitute="no substitute"):
    """Order fields of a part. Suppliers without a confirmed number are searched by the maker's number."""
    one, two = suppliers.pair(number, suppliers.search("Mouser", number), suppliers.search("LCSC", number))
    return {"Manufacturer": maker, "MPN": number, "Supplier 1": one, "Supplier 2": two,
            "Price": price, "Substitute": substitute}


def code(ohms):
    """A resistance as the maker's number has it: 1020 -> 1K02, 470 -> 470R."""
    for unit, letter in ((1e6, "M"), (1e3, "K"), (1, "R")):
        if ohms >= unit:
            whole, _, rest = f"{ohms / unit:.4g}".partition(".")
            return whole + letter + rest


def value(ohms):
    """A resistance as the sheet has it: 1020 -> 1.02k."""
    for unit, letter in ((1e6, "M"), (1e3, "k"), (1, "")):
        if ohms >= unit:
            return f"{ohms / unit:.4g}{letter}"


def resistor(ref, ohms, one, two, at, turn=90):
    """A resistor 0805, 1 %."""
    return Part(ref, "Device:R", "Resistor_SMD:R_0805_2012Metric", value(ohms), {"1": one, "2": two}, at, turn,
                fields("Yageo", f"RC0805FR-07{code(ohms)}L", "0.01", "any 0805, 1 %, 0.125 W"))


# value: footprint, maker, number, price, substitute
CAPACITORS = {
    "100p": ("C_0805_2012Metric", "Yageo", "CC0805JRNPO9BN101", "0.01", "any 0805, C0G, 50 V"),
    "1n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB102", "0.01", "any 0805, X7R, 50 V"),
    "2.2n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB222", "0.01", "any 0805, X7R, 50 V"),
    "3.3n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB332", "0.01", "any 0805, X7R, 50 V"),
    "4.7n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB472", "0.01", "any 0805, X7R, 50 V"),
    "10n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB103", "0.01", "any 0805, X7R, 50 V"),
    "100n": ("C_0805_2012Metric", "Yageo", "CC0805KRX7R9BB104", "0.01", "any 0805, X7R, 50 V"),
    "100n 0603": ("C_0603_1608Metric", "Yageo", "CC0603KRX7R9BB104", "0.01", "any 0603, X7R, 16 V"),
    "470n": ("C_0805_2012Metric", "Samsung", "CL21B474KBFNNNE", "0.1", "any 0805, X7R, 16 V"),
    "1u": ("C_0805_2012Metric", "Samsung", "CL21B105KAFNNNE", "0.1", "any 0805, X7R, 16 V"),
    "2.2u": ("C_0805_2012Metric", "Samsung", "CL21B225KAFNNNE", "0.1", "any 0805, X7R, 10 V"),
    "10u": ("C_0805_2012Metric", "Samsung", "CL21A106KAYNNNE", "0.1", "any 0805, X5R, 16 V"),
    "10u 50V": ("C_1210_3225Metric", "Murata", "GRM32ER71H106KA12L", "1", "any 1210, X7R, 50 V"),
    "47u 10V": ("C_1210_3225Metric", "Murata", "GRM32ER71A476KE15L", "1", "any 1210, X7R, 10 V"),
}
ELECTROLYTIC = {
    "330u 35V": ("CP_Elec_10x10.5", "Panasonic", "EEE-FK1V331P", "1", "any 10 x 10.2 mm, 35 V, 105 °C, low impedance"),
    "470u 16V": ("CP_Elec_8x10", "Panasonic", "EEE-FK1C471P", "1", "any 8 x 10.2 mm, 330 to 470 µF, 10 V, 105 °C"),
    "330u 16V": ("CP_Elec_10x12.6", "Panasonic", "16SVP330M", "1", "any polymer 10 x 12.6 mm, 10 V, below 30 mΩ"),
}


def capacitor(ref, size, one, two, at, turn=90):
    """A ceramic capacitor, or an electrolytic one with plus at pin 1."""
    polar = size in ELECTROLYTIC
    footprint, *order = (ELECTROLYTIC if polar else CAPACITORS)[size]
    return Part(ref, "Device:C_Polarized" if polar else "Device:C", f"Capacitor_SMD:{footprint}", size,
                {"1": one, "2": two}, at, turn, fields(*order))


def polyfuse(ref, one, two, at, turn=90):
    """A resettable fuse 1206: holds 0.50 A at 23 °C, trips at 1 A."""
    return Part(ref, "Device:Polyfuse", "Fuse:Fuse_1206_3216Metric", "0.5 A", {"1": one, "2": two}, at, turn,
                fields("Bourns", "MF-NSMF050-2", "0.3", "any resettable fuse 1206, 0.5 A hold, 1 A trip, 6 V or more"))


def chip_fuse(ref, one, two, at, turn=90):
    """A very fast fuse 1206 of 0.125 A beside a resistor of 10 Ω in a ground: opens before the resistor burns."""
    return Part(ref, "Device:Fuse", "Fuse:Fuse_1206_3216Metric", "0.125 A", {"1": one, "2": two}, at, turn,
                fields("Littelfuse", "0466.125NR", "0.5", "any very fast fuse 1206, 0.125 A"))


# A plug of each family fits no header of another one, and no header with another number of pins.
MOLEX = {
    "KK": ("22-27-20{n}1", "Connector_Molex:Molex_KK-254_AE-6410-{n:02}A_1x{n:02}_P2.54mm_Vertical"),
}


def connector(ref, family, name, nets, at, mirror=None):
    """A header: family VH, XH, PH or ZH of JST or KK of Molex; nets from pin 1 on."""
    count = len(nets)
    if family in MOLEX:
        number, footprint = (text.format(n=count) for text in MOLEX[family])
        return Part(ref, f"Connector_Generic:Conn_01x{count:02}", footprint, name,
                    {str(pin + 1): net for pin, net in enumerate(nets)}, at, 0, fields("Molex", number, "0.3"), mirror=mirror)
    number, pitch = {"VH": (f"B{count}P-VH", "3.96"), "XH": (f"B{count}B-XH-A", "2.50"),
                     "PH": (f"B{count}B-PH-K", "2.00"), "ZH": (f"B{count}B-ZR", "1.50")}[family]
    return Part(ref, f"Connector_Generic:Conn_01x{count:02}",
                f"Connector_JST:JST_{family}_{number}_1x{count:02}_P{pitch}mm_Vertical", name,
                {str(pin + 1): net for pin, net in enumerate(nets)}, at, 0,
                fields("JST", f"{number}{'-S' if family == 'PH' else ''}(LF)(SN)", "0.1"), mirror=mirror)
